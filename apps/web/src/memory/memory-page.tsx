import { Page } from '../ui/page.tsx'
import { useWords } from '../words/use-words.ts'
import { memoryWords } from './memory-words.ts'
import { OwnMemory } from './own-memory.tsx'

/** What is remembered of the person who looks: theirs alone to see and to forget [D34.4]. */
export function OwnMemoryPage() {
  const words = useWords(memoryWords)
  return (
    <Page title={words.title} about={words.ownAbout}>
      <OwnMemory />
    </Page>
  )
}
