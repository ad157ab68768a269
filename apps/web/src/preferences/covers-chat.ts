/** From these widths on a panel stands beside the chat; they are those of its classes. */
const besideFrom = { sessionList: '(min-width: 48rem)', sidePanel: '(min-width: 64rem)' }

export type ChatPanel = keyof typeof besideFrom

export function isChatPanel(name: string): name is ChatPanel {
  return name in besideFrom
}

/** Whether it is shown above the chat, where there is no room beside it. */
export function coversChat(panel: ChatPanel): boolean {
  return !matchMedia(besideFrom[panel]).matches
}
