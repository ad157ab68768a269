import { join } from 'node:path'
import { openWorkspace } from '@dataagent/guard'
import { AppError, isAppError } from '@dataagent/schema'
import type { OutputFiles } from '../tools/index.ts'

const gibibyte = 1024 ** 3

/** Exports as files of a folder, which is made for the first of them. None is written over. */
export function createOutputFiles(folder: string): OutputFiles {
  return {
    async write(_owner, path, content, signal) {
      await using workspace = await openWorkspace({
        ...{ root: folder, create: true, maxWriteBytes: 4 * gibibyte },
        ...{ fileMode: 0o644, dirMode: 0o755 },
      })
      const name = toName(path)
      try {
        const { size } = await workspace.write(name, content, { expect: 'absent', signal })
        return { bytes: size }
      } catch (error) {
        if (!isAppError(error, 'conflict')) throw error
        const told = `There is a file ${name} already. Give another name.`
        throw new AppError('conflict', told, { cause: error })
      }
    },
  }
}

/** Where a path that the tools tell is on this machine. */
export function toPlace(folder: string, path: string): string {
  return join(folder, toName(path))
}

/** Tools write into `outputs/`; here the folder itself is that. */
function toName(path: string): string {
  return path.replace(/^outputs\//, '')
}
