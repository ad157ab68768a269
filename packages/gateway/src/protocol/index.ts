export type { Caller, ClientCapabilities, Exchange, Reply, RpcRequest } from './contract.ts'
export { RpcError, rpcCodes, toErrorReply, toFaultReply } from './faults.ts'
export { isLogLevel } from './log-levels.ts'
export {
  type Incoming,
  type Message,
  parseIncoming,
  type RpcAnswer,
  type RpcNotification,
} from './message.ts'
export { metaKeys, metaOf } from './meta-keys.ts'
export { createRespond, toLimited } from './respond.ts'
export { legacyVersions, modernVersions, versionWithoutHeader } from './versions.ts'
