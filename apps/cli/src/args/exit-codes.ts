/** How every program of `dataagent` ends; scripts rely on these. */
export const exitCodes = {
  ok: 0,
  /** Something failed, here or at the platform. */
  error: 1,
  /** The command line is wrong. */
  usage: 2,
  /** A call was rejected, or nobody was there to approve it. */
  rejected: 3,
  timeout: 4,
  /** By Ctrl-C, as shells have it. */
  cancelled: 130,
} as const

export type ExitStatus = keyof typeof exitCodes
