"""Monitoring of the running bot, and its HTTP servers: metrics, health, and limits for untrusted clients."""
