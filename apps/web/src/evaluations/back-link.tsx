import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import { useWords } from '../words/use-words.ts'
import type { EvaluationsTab } from './evaluations-search.ts'
import { evaluationsWords } from './evaluations-words.ts'

/** The way to the list that a page belongs to. */
export function BackLink({ tab }: { tab: EvaluationsTab }) {
  const words = useWords(evaluationsWords)
  return (
    <Link
      to="/evaluations"
      search={{ tab }}
      className="inline-flex items-center gap-0.5 self-start text-accent hover:underline"
    >
      <ChevronLeft aria-hidden="true" className="size-4" />
      {words.back}
    </Link>
  )
}
