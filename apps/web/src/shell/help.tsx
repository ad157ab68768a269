import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useWords } from '../words/use-words.ts'
import { helpWords } from './help-words.ts'

interface HelpProps {
  onClose(): void
  onTour(): void
}

export function Help({ onClose, onTour }: HelpProps) {
  const words = useWords(helpWords)
  return (
    <Dialog title={words.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 text-sm">
        {words.keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-md border border-line bg-raised px-1.5 py-0.5">{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 flex flex-wrap items-center gap-4 text-sm">
        <Button size="small" className="hidden md:inline-flex" onClick={onTour}>
          {words.tour}
        </Button>
        <a href="/api/v1/docs" className="text-accent underline">
          {words.api}
        </a>
      </p>
    </Dialog>
  )
}
