export type { Caller, ClientCapabilities, Exchange, Reply, RpcRequest } from './contract.ts'
export { invalidCredential, RpcError, rpcCodes, toErrorReply, toFaultReply } from './faults.ts'
export { isLogLevel } from './log-levels.ts'
export {
  type Incoming,
  type Message,
  parseIncoming,
  type RpcAnswer,
  type RpcNotification,
} from './message.ts'
export { metaOf } from './meta-of.ts'
export { createRespond, toLimited } from './respond.ts'
export { versionWithoutHeader } from './versions.ts'
