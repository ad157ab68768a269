import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { shellWords } from './shell-words.ts'

/** In place of a page that has thrown. The rest of the application goes on. */
export function Crash({ error }: { error: unknown }) {
  const words = useWords(shellWords)
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
  const isGone = /dynamically imported module|Importing a module script failed/i.test(text)
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Notice
        tone="bad"
        title={isGone ? words.newVersion : words.crashed}
        action={
          <>
            <Button size="small" kind="primary" onClick={() => location.reload()}>
              {words.reload}
            </Button>
            {!isGone && <CopyButton text={text} />}
          </>
        }
      >
        {!isGone && (
          <>
            <p>{words.crashedAbout}</p>
            <pre className="mt-2 max-h-48 overflow-auto text-xs whitespace-pre-wrap">{text}</pre>
          </>
        )}
      </Notice>
    </div>
  )
}
