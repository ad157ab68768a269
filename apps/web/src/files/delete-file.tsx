import type { FileInfo } from '@dataagent/schema'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { Confirm } from '../ui/confirm.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { filesWords } from './files-words.ts'
import { nameOf } from './paths.ts'
import { useRefresh } from './use-files.ts'

/** Asks before a file or an empty folder is removed. */
export function DeleteFile({ file, onClose }: { file: FileInfo; onClose(): void }) {
  const words = useWords(filesWords)
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const name = nameOf(file.path)

  async function remove() {
    await client.files.delete(file.path)
    toaster.done(words.deleted(name))
    await refresh()
  }

  return (
    <Confirm
      title={words.deleteTitle(name)}
      action={words.delete}
      onConfirm={remove}
      {...{ onClose, toProblem }}
    >
      <p>{file.kind === 'dir' ? words.deleteDir : words.deleteFile}</p>
    </Confirm>
  )
}
