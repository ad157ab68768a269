import type { Finding } from '@dataagent/schema'
import { TriangleAlert } from 'lucide-react'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { findingWords } from './finding-words.ts'
import { serverWords } from './server-words.ts'

/** What a definition has that a person should look at. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const words = useWords(serverWords)
  const { kinds, say } = useWords(findingWords)
  if (findings.length === 0) return null
  return (
    <div className="rounded-lg bg-wait-soft px-3 py-2 text-[13px] text-wait">
      <p className="flex items-center gap-1.5 font-medium">
        <TriangleAlert aria-hidden="true" className="size-3.5" /> {words.findings}
      </p>
      <ul>
        {findings.map(({ kind, path, message, severity }) => (
          <li key={`${kind} ${path}`} className="[overflow-wrap:anywhere]">
            {words.severities[severity]}: <PlainText text={say(kinds[kind], message)} />
            {path !== '' && (
              <>
                {' '}
                <code>
                  <PlainText text={path} />
                </code>
              </>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
