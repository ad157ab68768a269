export {
  parseClientMessage,
  type WebSocketMessage,
  webSocketMessageSchema,
} from './client-message.ts'
export {
  isNotice,
  type Notice,
  noticeSchema,
  parseServerMessage,
  type ServerMessage,
} from './server-message.ts'
