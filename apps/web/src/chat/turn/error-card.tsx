import type { ErrorEvent } from '@dataagent/schema'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { chatWords } from '../chat-words.ts'

/** Why a turn failed. */
export function ErrorCard({ error }: { error: ErrorEvent }) {
  const words = useWords(chatWords)
  const { error_code, reference } = error
  return (
    <Notice
      tone="bad"
      title={words.failed}
      action={<CopyButton label={words.copyDetails} text={JSON.stringify(error, null, 2)} />}
    >
      <PlainText text={error.error} />
      {(error_code || reference) && (
        <p className="text-[13px] text-soft">
          {[error_code, reference].filter(Boolean).join(' · ')}
        </p>
      )}
    </Notice>
  )
}
