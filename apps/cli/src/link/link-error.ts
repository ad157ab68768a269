/**
 * `platform`: the local one cannot start. `unreachable`: nobody answers at the address.
 * `credential`: no key, or a wrong one. `stranger`: what answers is no DataAgent, or one of a
 * version too far from ours.
 */
export type LinkFault = 'platform' | 'unreachable' | 'credential' | 'stranger'

/** Why there is no link: the message is for people, and says what to do. */
export class LinkError extends Error {
  readonly fault: LinkFault

  constructor(fault: LinkFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'LinkError'
    this.fault = fault
  }
}
