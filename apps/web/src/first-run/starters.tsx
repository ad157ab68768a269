import { useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { toAsked } from '../data/questions/to-asked.ts'
import { useQuestions } from '../data/use-data.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useLang, useWords } from '../words/use-words.ts'
import { firstRunWords } from './first-run-words.ts'
import { useSamples } from './use-samples.ts'

interface Starter {
  text: string
  about?: string | undefined
  asksFirst?: boolean
}

/** Questions that can be answered here and now; on the samples where these run. */
export function Starters({ onAsk }: { onAsk(text: string): void }) {
  const words = useWords(firstRunWords)
  const { there, isStarting, isKnown } = useSamples()
  const questions = useVerifiedStarters()
  const starters = useStarters(there, questions ?? [])
  useFreshTools(isStarting)
  if (!isKnown || questions === undefined) return null
  return (
    <div className="flex w-full flex-col items-center gap-2">
      <ul aria-label={words.starters} className="grid w-full gap-2 text-left sm:grid-cols-2">
        {starters.map(({ text, about, asksFirst }) => (
          <li key={text}>
            <button
              type="button"
              onClick={() => onAsk(text)}
              className="flex h-full w-full flex-col items-start gap-0.5 rounded-xl border border-line bg-panel px-4 py-3 text-left text-sm hover:border-accent hover:bg-raised"
            >
              <span className="font-medium">{text}</span>
              {about && (
                <span className="flex flex-wrap items-center gap-x-1.5 text-[13px] text-soft">
                  {about}
                  {asksFirst && (
                    <span className="inline-flex items-center gap-1 text-wait">
                      <ShieldCheck aria-hidden="true" className="size-3.5" />
                      {words.asksFirst}
                    </span>
                  )}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="flex items-center gap-2 text-[13px] text-soft empty:hidden">
        {isStarting && (
          <>
            <Spinner /> {words.starting}
          </>
        )}
      </p>
    </div>
  )
}

/** What else the page says of tools is asked for again once all of them run. */
function useFreshTools(isStarting: boolean): void {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isStarting) void queries.invalidateQueries({ queryKey: ['tools'] })
  }, [isStarting, queries])
}

/** Verified questions in the language of the page; undefined until they are known. */
function useVerifiedStarters(): Starter[] | undefined {
  const words = useWords(firstRunWords)
  const lang = useLang()
  const { data, isError } = useQuestions(true, { limit: 50 })
  if (!data) return isError ? [] : undefined
  return toAsked(data.questions, lang, verifiedMax).map((text) => ({ text, about: words.verified }))
}

const verifiedMax = 3

function useStarters(there: readonly string[], verified: readonly Starter[]): Starter[] {
  const words = useWords(firstRunWords)
  const mall = words.fromSample('mall')
  const ofMall: Starter[] = [
    { text: words.mallOrder, about: mall },
    { text: words.mallSales, about: mall },
    { text: words.mallCancel, about: mall, asksFirst: true },
  ]
  const ofClinic: Starter[] = [{ text: words.clinicServices, about: words.fromSample('clinic') }]
  const ofAny: Starter[] = [words.tools, words.remember, words.note, words.files].map((text) => ({
    text,
  }))
  const found = [
    ...(there.includes('mall') ? ofMall : []),
    ...(there.includes('clinic') ? ofClinic : []),
  ]
  const count = verified.length > 0 ? verified.length + 3 : 4
  return [...verified, ...found, ...ofAny].slice(0, count)
}
