export type {
  ConnectionTest,
  UpstreamCall,
  UpstreamHealth,
  UpstreamKey,
  UpstreamLimits,
  Upstreams,
} from './contract.ts'
export type { UpstreamsOptions } from './options.ts'
export { createUpstreams } from './upstreams.ts'
