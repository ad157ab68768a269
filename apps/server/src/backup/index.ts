export { type Backup, makeBackup } from './make-backup.ts'
export { type Restored, restoreBackup } from './restore-backup.ts'
export { assertRestored } from './unfinished.ts'
