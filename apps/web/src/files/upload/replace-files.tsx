import type { FileInfo } from '@dataagent/schema'
import { useProblem } from '../../api/use-problem.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { nameOf } from '../paths.ts'
import { uploadWords } from './upload-words.ts'

interface ReplaceFilesProps {
  files: readonly File[]
  /** What is in the folder. */
  entries: readonly FileInfo[]
  onReplace(): void
  onClose(): void
}

/** Asks before what is there is overwritten. */
export function ReplaceFiles({ files, entries, onReplace, onClose }: ReplaceFilesProps) {
  const words = useWords(uploadWords)
  const toProblem = useProblem()
  const present = new Set(entries.map(({ path }) => nameOf(path)))
  const names = files.map(({ name }) => name).filter((name) => present.has(name))
  return (
    <Confirm
      title={words.replaceTitle(names.length)}
      action={words.replace}
      onConfirm={async () => onReplace()}
      {...{ onClose, toProblem }}
    >
      <p>{words.replaceAbout}</p>
      <ul className="list-inside list-disc text-soft [overflow-wrap:anywhere]">
        {names.slice(0, 10).map((name) => (
          <li key={name}>
            <PlainText text={name} />
          </li>
        ))}
      </ul>
    </Confirm>
  )
}
