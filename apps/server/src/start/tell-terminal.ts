import type { PlatformNews } from '@dataagent/schema'

/** Resolves when it is on its way, or nobody is there to hear it. */
export type Tell = (news: PlatformNews) => Promise<void>

/** @param channel This process, whose parent the terminal is. */
export function createTell(channel: NodeJS.Process): Tell {
  return (news) =>
    new Promise((resolve) => {
      if (!channel.connected) resolve()
      else channel.send?.(news, undefined, undefined, () => resolve())
    })
}
