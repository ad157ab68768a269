import { DatabaseSync } from 'node:sqlite'
import { fillTables } from './fill-tables.ts'
import { tables } from './tables.ts'

/** The database of the clinic. */
export type Clinic = DatabaseSync

/**
 * Opens the clinic in a file, or in memory. An empty one is filled with generated data, the same
 * for the same seed; of several processes at once one fills it, and the others wait.
 */
export function openClinicDatabase(path = ':memory:', { seed = 4 } = {}): Clinic {
  const clinic = new DatabaseSync(path, { timeout: 10_000 })
  clinic.exec('PRAGMA foreign_keys = ON; BEGIN IMMEDIATE')
  try {
    const found = clinic.prepare("SELECT 1 FROM sqlite_master WHERE name = 'users'").get()
    if (!found) {
      clinic.exec(tables)
      fillTables(clinic, seed)
    }
    clinic.exec('COMMIT')
    return clinic
  } catch (error) {
    clinic.close()
    throw error
  }
}
