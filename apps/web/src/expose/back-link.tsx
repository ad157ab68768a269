import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'

/** The way to the page above. */
export function BackLink({ to, text }: { to: '/tools' | '/tools/expose'; text: string }) {
  return (
    <Link
      to={to}
      className="inline-flex items-center gap-0.5 self-start text-accent hover:underline"
    >
      <ChevronLeft aria-hidden="true" className="size-4" />
      {text}
    </Link>
  )
}
