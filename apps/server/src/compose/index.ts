export { backUp, type RestoredHere, restore } from './backup.ts'
export { type Server, startParent, startServer } from './compose.ts'
export { createAdminKey, fillKeyHashes } from './one-time.ts'
export { type Resealed, reseal } from './reseal.ts'
