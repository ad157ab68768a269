import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './spinner.tsx'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger' | 'good'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind
  size?: 'small' | 'normal'
  /** Shows that it is at work, and takes no second click. */
  busy?: boolean | undefined
  icon?: ReactNode
}

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:opacity-90',
  plain: 'border border-line bg-panel text-ink hover:bg-raised',
  quiet: 'text-soft hover:bg-raised hover:text-ink',
  danger: 'border border-bad bg-panel text-bad hover:bg-bad-soft',
  good: 'bg-good text-panel hover:opacity-90',
}

const sizes = { small: 'min-h-7 px-2 text-[13px]', normal: 'min-h-9 px-3.5 text-sm' }

/** A button; `type="button"` unless said otherwise. */
export function Button(props: ButtonProps) {
  const { kind = 'plain', size = 'normal', busy, icon, className, children, ...rest } = props
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg font-medium',
        'transition-colors disabled:cursor-not-allowed disabled:opacity-50',
        ...[kinds[kind], sizes[size], className],
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  /** What it does: read aloud, and shown when the pointer rests. */
  label: string
  children: ReactNode
}

/** A button that is an icon alone. */
export function IconButton({ label, children, className, ...rest }: IconButtonProps) {
  return (
    <Button
      kind="quiet"
      {...rest}
      aria-label={label}
      title={label}
      className={cx('aspect-square !px-0 min-w-9', className)}
    >
      {children}
    </Button>
  )
}
