import type { DataSource } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { Database } from 'lucide-react'
import { useState } from 'react'
import { AddButton } from '../../admin/add-button.tsx'
import { useIsAdmin } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { useSources } from '../use-data.ts'
import { SourceCard } from './source-card.tsx'
import { SourceForm } from './source-form.tsx'
import { sourcesWords } from './sources-words.ts'

/** What can be asked about. Administrators add to it. */
export function SourcesPanel() {
  const words = useWords(sourcesWords)
  const isAdmin = useIsAdmin()
  const query = useSources()
  const [open, setOpen] = useState<'new' | DataSource>()
  return (
    <div className="flex flex-col gap-4">
      {isAdmin && (
        <div className="flex justify-end">
          <AddButton label={words.add} onClick={() => setOpen('new')} />
        </div>
      )}
      <QueryView query={query}>
        {(sources) =>
          sources.length === 0 ? (
            <NoSources />
          ) : (
            <ul aria-label={words.list} className="flex flex-col gap-3">
              {sources.map((source) => (
                <SourceCard key={source.source_id} source={source} onEdit={() => setOpen(source)} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {open && (
        <SourceForm source={open === 'new' ? undefined : open} onClose={() => setOpen(undefined)} />
      )}
    </div>
  )
}

function NoSources() {
  const words = useWords(sourcesWords)
  const isAdmin = useIsAdmin()
  return (
    <Empty
      icon={<Database />}
      title={words.empty}
      action={
        <Link to="/files" className="text-sm text-accent underline">
          {words.upload}
        </Link>
      }
    >
      {isAdmin ? words.emptyAdmin : words.emptyUser}
    </Empty>
  )
}
