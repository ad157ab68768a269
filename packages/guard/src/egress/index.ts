export {
  type AddressCheckOptions,
  createAddressCheck,
  type DialledAddress,
} from './address-check.ts'
export {
  type AddressClass,
  type AddressSet,
  classifyAddress,
  createAddressSet,
  isAddressRange,
} from './address-rules.ts'
export type { Lookup, LookupAnswer } from './connector.ts'
export type {
  AnswerFlow,
  AnswerHead,
  AnswerSink,
  Egress,
  EgressLimits,
  EgressOptions,
  EgressRequest,
  EgressResponse,
  EgressRoute,
  RouteCall,
  RouteOptions,
  RunningCall,
} from './contract.ts'
export { createEgress } from './egress.ts'
export type { ResponseHeaders } from './exchange.ts'
export { createLookup } from './lookup.ts'
export type { EgressPolicy } from './policy.ts'
export type { HeadersInput } from './request-headers.ts'
export type { RequestBody } from './upload.ts'
