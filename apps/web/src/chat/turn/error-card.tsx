import type { ErrorEvent } from '@dataagent/schema'
import { errorWords } from '../../api/error-words.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { chatWords } from '../chat-words.ts'

/** Why a turn failed: what it means, in the language of the page, and what the server said. */
export function ErrorCard({ error }: { error: ErrorEvent }) {
  const words = useWords(chatWords)
  const { codes, original } = useWords(errorWords)
  const { error_code, reference } = error
  const sentence = error_code === undefined ? undefined : codes[error_code]
  return (
    <Notice
      tone="bad"
      title={words.failed}
      action={<CopyButton label={words.copyDetails} text={JSON.stringify(error, null, 2)} />}
    >
      {sentence !== undefined && <p>{sentence}</p>}
      <p>
        <PlainText text={sentence === undefined ? error.error : original(error.error)} />
      </p>
      {(error_code || reference) && (
        <p className="text-[13px] text-soft">
          {[error_code, reference].filter(Boolean).join(' · ')}
        </p>
      )}
    </Notice>
  )
}
