import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/** For this user alone; what is there is kept. */
export async function openLog(file: string): Promise<FileHandle> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return await open(file, 'a', 0o600)
}
