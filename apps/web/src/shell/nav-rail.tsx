import { Link } from '@tanstack/react-router'
import {
  ChartColumn,
  Database,
  FolderOpen,
  MessageSquare,
  Plug,
  Settings2,
  ShieldCheck,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '../words/use-words.ts'
import { shellWords } from './shell-words.ts'

interface NavRailProps {
  /** Approvals that wait. */
  waiting: number
  isAdmin: boolean
}

/** The ways to the pages: beside them, on a phone below. */
export function NavRail({ waiting, isAdmin }: NavRailProps) {
  const words = useWords(shellWords)
  return (
    <nav
      aria-label={words.nav}
      className="order-last flex shrink-0 justify-around border-t border-line bg-panel p-1 md:order-first md:w-[5.25rem] md:flex-col md:justify-start md:gap-1 md:border-t-0 md:border-r"
    >
      <NavLink to="/c" label={words.chat} icon={<MessageSquare />} />
      <NavLink to="/data" label={words.data} icon={<Database />} />
      <NavLink to="/tools" label={words.tools} icon={<Plug />} />
      <NavLink to="/approvals" label={words.approvals} icon={<ShieldCheck />}>
        {waiting > 0 && (
          <span className="absolute top-0.5 right-2 rounded-full bg-bad px-1.5 text-[11px] font-semibold text-panel">
            <span aria-hidden="true">{waiting > 99 ? '99+' : waiting}</span>
            <span className="sr-only">{words.waiting(waiting)}</span>
          </span>
        )}
      </NavLink>
      <NavLink to="/files" label={words.files} icon={<FolderOpen />} />
      <NavLink to="/evaluations" label={words.evaluations} icon={<ChartColumn />} />
      {isAdmin && <NavLink to="/admin" label={words.admin} icon={<Settings2 />} />}
    </nav>
  )
}

interface NavLinkProps {
  to: string
  label: string
  icon: ReactNode
  children?: ReactNode
}

function NavLink({ to, label, icon, children }: NavLinkProps) {
  return (
    <Link
      to={to}
      className="relative flex flex-col items-center gap-0.5 rounded-xl px-1 py-1.5 text-xs text-soft hover:bg-raised hover:text-ink data-[status=active]:bg-accent-soft data-[status=active]:text-accent"
    >
      <span aria-hidden="true" className="[&>svg]:size-5">
        {icon}
      </span>
      {label}
      {children}
    </Link>
  )
}
