import { Link } from '@tanstack/react-router'
import { ChevronRight, House } from 'lucide-react'
import { PlainText } from '../ui/plain-text.tsx'
import { useWords } from '../words/use-words.ts'
import { filesWords } from './files-words.ts'
import { toCrumbs } from './paths.ts'

const linkClass = 'inline-flex items-center gap-1 rounded px-1 text-accent hover:underline'

/** The way from the uppermost folder to the one that is shown. */
export function Breadcrumbs({ path }: { path: string | undefined }) {
  const words = useWords(filesWords)
  const crumbs = toCrumbs(path)
  return (
    <nav aria-label={words.path}>
      <ol className="flex flex-wrap items-center text-sm">
        <li className="flex items-center">
          <Link
            to="/files"
            search={{}}
            className={linkClass}
            aria-current={crumbs.length === 0 ? 'page' : undefined}
          >
            <House aria-hidden="true" className="size-4" />
            {words.home}
          </Link>
        </li>
        {crumbs.map((crumb, i) => (
          <li key={crumb.path} className="flex items-center">
            <ChevronRight aria-hidden="true" className="size-4 text-soft" />
            {i === crumbs.length - 1 ? (
              <span aria-current="page" className="px-1 font-medium [overflow-wrap:anywhere]">
                <PlainText text={crumb.name} />
              </span>
            ) : (
              <Link
                to="/files"
                search={crumb.path === undefined ? {} : { path: crumb.path }}
                className={linkClass}
              >
                <PlainText text={crumb.name} />
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
