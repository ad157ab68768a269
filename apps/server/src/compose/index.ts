export { type Server, startParent, startServer } from './compose.ts'
export { createAdminKey, fillKeyHashes } from './one-time.ts'
