export { createAdminKey, startParent, startServer } from './compose.ts'
