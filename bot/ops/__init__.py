"""Monitoring of the running bot, and HTTP servers: metrics, health, and limits for untrusted clients."""
