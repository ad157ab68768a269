import type { Exchange } from './contract.ts'

/** For what the gateway asks of its own accord: nobody is there to be told or asked. */
export function toNobody(signal: AbortSignal): Exchange {
  return {
    ...{ era: 'legacy', version: '2025-11-25', capabilities: {}, logLevel: undefined },
    signal,
    notify: () => {},
    ask: () => Promise.reject(new Error('Nobody is there to be asked.')),
  }
}
