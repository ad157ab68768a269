import { Link } from '@tanstack/react-router'
import { Plug, Upload } from 'lucide-react'
import { useMe } from '../api/api-context.ts'
import { ModelCard } from '../first-run/model-card.tsx'
import { Starters } from '../first-run/starters.tsx'
import { TourInvitation } from '../first-run/tour-invitation.tsx'
import { useWords } from '../words/use-words.ts'
import { chatWords } from './chat-words.ts'

/** Before the first message: what can be done here, and how to begin. */
export function NewChat({ onAsk }: { onAsk(text: string): void }) {
  const words = useWords(chatWords)
  const me = useMe()
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto px-4 pt-10 pb-4">
      <div className="flex w-full max-w-2xl flex-col items-center gap-4 text-center">
        <div>
          <h1 className="text-2xl font-semibold">{words.greeting(me.name)}</h1>
          <p className="mt-2 text-soft">{words.greetingAbout}</p>
        </div>
        <TourInvitation />
        <Starters onAsk={onAsk} />
        <div className="flex flex-wrap justify-center gap-2">
          <Link to="/tools" className={linkClass}>
            <Plug aria-hidden="true" className="size-4" /> {words.connectTool}
          </Link>
          <Link to="/files" className={linkClass}>
            <Upload aria-hidden="true" className="size-4" /> {words.uploadFile}
          </Link>
        </div>
        <ModelCard />
      </div>
    </div>
  )
}

const linkClass =
  'inline-flex items-center gap-2 rounded-xl border border-line bg-panel px-4 py-2 text-sm hover:bg-raised'
