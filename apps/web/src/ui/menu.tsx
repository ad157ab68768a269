import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export interface MenuItem {
  label: string
  icon?: ReactNode
  onSelect(): void
  danger?: boolean
  disabled?: boolean
}

interface MenuProps {
  /** The button that opens it; it must take a ref. */
  trigger: ReactNode
  items: readonly (MenuItem | 'line')[]
  align?: 'start' | 'end'
}

/** A menu of a button. Not modal: that would need styles that the content policy refuses. */
export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-40 min-w-44 rounded-xl border border-line bg-panel p-1 shadow-float"
        >
          {items.map((item, i) =>
            item === 'line' ? (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity
              <DropdownMenu.Separator key={`line-${i}`} className="my-1 h-px bg-line" />
            ) : (
              <DropdownMenu.Item
                key={item.label}
                disabled={item.disabled ?? false}
                onSelect={item.onSelect}
                className={cx(
                  'flex cursor-pointer items-center gap-2 rounded-lg px-2.5 py-1.5 text-sm outline-none',
                  'data-[disabled]:opacity-50 data-[highlighted]:bg-raised',
                  item.danger && 'text-bad',
                )}
              >
                {item.icon && (
                  <span aria-hidden="true" className="[&>svg]:size-4">
                    {item.icon}
                  </span>
                )}
                {item.label}
              </DropdownMenu.Item>
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
