import { accessSync, constants, mkdirSync } from 'node:fs'
import { AppError } from '@dataagent/schema'

/**
 * Makes the data directory, closed to other users, where it is absent. Throws `config_invalid`
 * where we cannot write.
 */
export function prepareDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    accessSync(path, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new AppError(
      'config_invalid',
      `The data directory ${path} cannot be written (${code}). Name another one by --data-dir or DATAAGENT_DATA_DIR.`,
      { cause: error },
    )
  }
}
