import { isClientError } from '@dataagent/client'
import { useCallback, useRef, useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { useWords } from '../../words/use-words.ts'
import { join } from '../paths.ts'
import { useRefresh } from '../use-files.ts'
import { uploadWords } from './upload-words.ts'

export interface Upload {
  id: number
  file: File
  path: string
  state: 'waiting' | 'sending' | 'done' | 'failed' | 'taken'
  /** Whether what is there under its name may be lost. */
  mayReplace: boolean
  problem?: string | undefined
}

/** Files on their way to the workspace, one after the other. */
export function useUploads() {
  const words = useWords(uploadWords)
  const client = useClient()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const last = useRef(0)
  const line = useRef(Promise.resolve())

  const change = useCallback((id: number, part: Partial<Upload>) => {
    setUploads((all) => all.map((one) => (one.id === id ? { ...one, ...part } : one)))
  }, [])

  function send({ id, path, file, mayReplace }: Upload): void {
    line.current = line.current.then(async () => {
      change(id, { state: 'sending', problem: undefined })
      try {
        await client.files.write(path, file, mayReplace ? {} : { replace: false })
        change(id, { state: 'done' })
      } catch (error) {
        if (!mayReplace && isClientError(error, 'conflict')) {
          change(id, { state: 'taken', problem: words.taken })
          return await refresh()
        }
        const isFull = isClientError(error, 'quota_exceeded')
        const problem = isFull ? `${words.quota} ${toProblem(error)}` : toProblem(error)
        change(id, { state: 'failed', problem })
      }
      await refresh()
    })
  }

  return {
    uploads,
    /** Those that may not replace anything stop where something is, and ask. */
    add(files: readonly File[], folder: string | undefined, mayReplace = false): void {
      const added = files.map((file): Upload => {
        last.current += 1
        return {
          id: last.current,
          file,
          path: join(folder, file.name),
          state: 'waiting',
          mayReplace,
        }
      })
      setUploads((all) => [...all, ...added])
      added.forEach(send)
    },
    again(upload: Upload): void {
      const mayReplace = upload.mayReplace || upload.state === 'taken'
      change(upload.id, { state: 'waiting', problem: undefined, mayReplace })
      send({ ...upload, mayReplace })
    },
    clear: () =>
      setUploads((all) => all.filter(({ state }) => state === 'waiting' || state === 'sending')),
  }
}
