/*! With lit-html, (c) 2017 Google LLC, BSD-3-Clause */
var d=Object.defineProperty;var e=(c,a)=>{for(var b in a)d(c,b,{get:a[b],enumerable:!0})};export{e as a};