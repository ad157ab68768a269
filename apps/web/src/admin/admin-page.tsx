import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { useMe } from '../api/api-context.ts'
import { shellWords } from '../shell/shell-words.ts'
import { Empty } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { AdminNav } from './admin-nav.tsx'
import { adminWords } from './admin-words.ts'
import { mayOpen, sectionsFor } from './sections.ts'

/** The administration: the way to its parts, and the one that is open. */
export function AdminPage() {
  const { role } = useMe()
  const pathname = useLocation({ select: (location) => location.pathname })
  return (
    <div className="flex min-h-full flex-col lg:flex-row">
      <AdminNav sections={sectionsFor(role)} />
      <div className="min-w-0 flex-1">{mayOpen(pathname, role) ? <Outlet /> : <NoAccess />}</div>
    </div>
  )
}

function NoAccess() {
  const words = useWords(adminWords)
  const { roles } = useWords(shellWords)
  const { role } = useMe()
  const hasAny = sectionsFor(role).length > 0
  return (
    <div className="mx-auto max-w-2xl p-6">
      <Empty
        title={words.noAccess}
        action={
          <Link to={hasAny ? '/admin' : '/c'} className="text-accent underline">
            {hasAny ? words.toOverview : words.toChat}
          </Link>
        }
      >
        {words.noAccessAbout(roles[role])}
      </Empty>
    </div>
  )
}
