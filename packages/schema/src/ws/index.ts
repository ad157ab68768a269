export {
  parseClientMessage,
  type WebSocketMessage,
  type WebSocketMessageInput,
  webSocketMessageSchema,
} from './client-message.ts'
export {
  isNotice,
  type Notice,
  noticeSchema,
  parseServerMessage,
  type ServerMessage,
} from './server-message.ts'
