import type { ApiKeyCreated } from '@dataagent/schema'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { keysWords } from './keys-words.ts'

interface NewKeyProps {
  made: ApiKeyCreated
  onClose(): void
}

/** A key, the one time that it is shown. */
export function NewKey({ made, onClose }: NewKeyProps) {
  const words = useWords(keysWords)
  return (
    <Notice
      tone="good"
      title={words.madeTitle}
      action={
        <>
          <CopyButton kind="primary" text={made.key} label={words.copyKey} />
          <Button size="small" onClick={onClose}>
            {words.done}
          </Button>
        </>
      }
    >
      <p>{words.madeAbout}</p>
      <code className="mt-2 block rounded-lg border border-line bg-panel px-3 py-2 select-all">
        {made.key}
      </code>
    </Notice>
  )
}
