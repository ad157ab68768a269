import type { FileInfo } from '@dataagent/schema'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { saveFile } from '../ui/save-file.ts'
import { useToaster } from '../ui/toasts.tsx'
import { nameOf } from './paths.ts'

/** Saves a file of the workspace as one of the person's own. */
export function useDownload(): (file: FileInfo) => void {
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()

  async function download({ path }: FileInfo) {
    const response = await client.files.read(path)
    saveFile(nameOf(path), await response.blob(), 'application/octet-stream')
  }

  return (file) => void download(file).catch((error) => toaster.failed(toProblem(error)))
}
