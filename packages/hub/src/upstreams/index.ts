export type {
  ConnectionTest,
  ReconnectWaits,
  UpstreamCall,
  UpstreamHealth,
  UpstreamKey,
  UpstreamLimits,
  Upstreams,
} from './contract.ts'
export { logLevels } from './links/log-levels.ts'
export type { UpstreamLogLine, UpstreamsOptions } from './options.ts'
export { toUpstreamKey } from './pool-key.ts'
export { createUpstreams } from './upstreams.ts'
