// The part of Discord's own SDK that the page uses: page/sdk/embedded-app-sdk.js has it all.

export interface Discord {
  readonly instanceId: string;
  readonly guildId: string | null;
  ready(): Promise<void>;
  subscribe(event: "ACTIVITY_LAYOUT_MODE_UPDATE", listener: (told: { layout_mode: number }) => void): Promise<unknown>;
  readonly commands: {
    authorize(wanted: { client_id: string; response_type: "code"; state: string; prompt: "none"; scope: readonly ["identify"] }): Promise<{ code: string }>;
    openExternalLink(wanted: { url: string }): Promise<unknown>;
  };
}

declare global {
  const DiscordSDK: new (application: string, configuration: { disableConsoleLogOverride: boolean }) => Discord;
}
