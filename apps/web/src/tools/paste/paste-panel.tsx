import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { FormFooter } from '../form/footer.tsx'
import { pastePhrases, toPasteText } from './paste-phrases.ts'
import { PastePreview } from './paste-preview.tsx'
import { pasteWords } from './paste-words.ts'

interface PastePanelProps {
  text?: string | undefined
  onClose(): void
}

/** Whatever was copied somewhere, read as servers. */
export function PastePanel({ text: given = '', onClose }: PastePanelProps) {
  const words = useWords(pasteWords)
  const phrases = useWords(pastePhrases)
  const toProblem = useProblem()
  const client = useClient()
  const [text, setText] = useState(given)
  const reading = useMutation({ mutationFn: (pasted: string) => client.servers.import(pasted) })
  const { data: preview, mutate } = reading
  const first = useRef(given)
  useEffect(() => {
    if (first.current.trim() !== '') mutate(first.current)
  }, [mutate])

  function take(next: string, isPasted: boolean) {
    setText(next)
    if (isPasted && next.trim() !== '') mutate(next)
    else reading.reset()
  }

  return (
    <div className="flex flex-col gap-4">
      <TextArea
        code
        rows={6}
        label={words.box}
        hint={words.hint}
        value={text}
        onChange={(event) =>
          take(
            event.target.value,
            (event.nativeEvent as InputEvent).inputType === 'insertFromPaste',
          )
        }
      />
      {reading.isError && <Notice tone="bad">{toProblem(reading.error)}</Notice>}
      {preview?.error !== undefined && (
        <Notice tone="wait" title={preview.entries.length === 0 ? words.nothing : words.partly}>
          <PlainText text={toPasteText(preview.error, phrases)} />
        </Notice>
      )}
      {preview && preview.entries.length > 0 ? (
        // Another text is another list of rows.
        <PastePreview key={reading.submittedAt} preview={preview} onClose={onClose} />
      ) : (
        <FormFooter>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            busy={reading.isPending}
            disabled={text.trim() === ''}
            onClick={() => mutate(text)}
          >
            {words.read}
          </Button>
        </FormFooter>
      )}
    </div>
  )
}
