import { Link } from '@tanstack/react-router'
import { Empty } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { shellWords } from './shell-words.ts'

export function NotFound() {
  const words = useWords(shellWords)
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Empty
        title={words.notFound}
        action={
          <Link to="/c" className="text-accent underline">
            {words.toChat}
          </Link>
        }
      />
    </div>
  )
}
