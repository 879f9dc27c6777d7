import { DiscordSDK } from "@discord/embedded-app-sdk";

globalThis.DiscordSDK = DiscordSDK;
