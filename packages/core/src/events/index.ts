export { createEventQueue, type EventQueue } from './event-queue.ts'
export { toReplyText } from './reply-text.ts'
