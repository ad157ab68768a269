import { Link } from '@tanstack/react-router'
import {
  BookText,
  Boxes,
  BrainCircuit,
  Building2,
  ChartColumn,
  FolderOpen,
  Gauge,
  Library,
  type LucideIcon,
  Scale,
  ScrollText,
  SlidersHorizontal,
  Users,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useWords } from '../words/use-words.ts'
import { adminWords } from './admin-words.ts'
import type { Section, SectionName } from './sections.ts'

const icons: Record<SectionName, LucideIcon> = {
  overview: Gauge,
  tenants: Building2,
  users: Users,
  agents: Boxes,
  models: BrainCircuit,
  registry: Library,
  policies: Scale,
  audit: ScrollText,
  usage: ChartColumn,
  workspaces: FolderOpen,
  memory: BookText,
  system: SlidersHorizontal,
}

/** The parts of the administration: beside the page, on narrow screens a row that scrolls. */
export function AdminNav({ sections }: { sections: readonly Section[] }) {
  const words = useWords(adminWords)
  const row = useRef<HTMLDivElement>(null)

  useEffect(() => {
    row.current?.querySelector('[data-status=active]')?.scrollIntoView({ inline: 'center' })
  }, [])

  if (sections.length === 0) return null
  return (
    <nav
      aria-label={words.nav}
      className="sticky top-0 z-10 shrink-0 border-b border-line bg-back lg:static lg:border-r lg:border-b-0"
    >
      <div
        ref={row}
        className="flex gap-1 overflow-x-auto p-2 lg:sticky lg:top-0 lg:w-52 lg:flex-col"
      >
        {sections.map(({ name, to }) => {
          const Icon = icons[name]
          return (
            <Link
              key={name}
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="flex shrink-0 items-center gap-2 rounded-lg px-2.5 py-1.5 text-sm whitespace-nowrap text-soft hover:bg-raised hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:font-medium data-[status=active]:text-accent"
            >
              <Icon aria-hidden="true" className="size-4 shrink-0" />
              {words.sections[name]}
            </Link>
          )
        })}
      </div>
    </nav>
  )
}
