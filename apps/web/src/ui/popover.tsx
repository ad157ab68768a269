import { Popover as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface PopoverProps {
  /** What it is, for screen readers. */
  label: string
  /** The button that opens it; it must take a ref. */
  trigger: ReactNode
  onOpenChange?(isOpen: boolean): void
  children: ReactNode
}

/** A panel at a button, which closes with Esc or a click elsewhere. Not modal, as menus are. */
export function Popover({ label, trigger, onOpenChange, children }: PopoverProps) {
  return (
    <Radix.Root {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={leaveFocus}
          className="z-40 max-h-(--radix-popover-content-available-height) w-[min(22rem,calc(100vw-1rem))] overflow-y-auto rounded-xl border border-line bg-panel p-4 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Who has gone on elsewhere, while it was closing, stays there. */
function leaveFocus(event: Event): void {
  if (document.activeElement !== document.body) event.preventDefault()
}
