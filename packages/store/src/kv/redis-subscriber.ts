import type { Channels, Subscriber } from './channels.ts'
import type { RedisConnection } from './redis-connection.ts'

export interface RedisSubscriberOptions {
  /**
   * Opens the connection of its own that Redis wants for this; called once, at the first
   * subscription.
   */
  connect(): RedisConnection
  channels: Channels
  prefix: string
}

export interface RedisSubscriber extends AsyncDisposable {
  subscribe(channel: string, subscriber: Subscriber): Promise<() => Promise<void>>
}

export function createRedisSubscriber(options: RedisSubscriberOptions): RedisSubscriber {
  const { channels, prefix } = options
  let opened: RedisConnection | undefined

  function open(): RedisConnection {
    const connection = options.connect()
    connection.client.on('message', (name: string, text: string) =>
      channels.deliver(name.slice(prefix.length), text),
    )
    connection.client.on('ready', () => void resubscribe(connection))
    return connection
  }

  async function resubscribe(connection: RedisConnection): Promise<void> {
    const names = channels.names()
    if (names.length === 0) return
    try {
      await connection.client.subscribe(...names.map((name) => prefix + name))
      channels.gap(names)
    } catch {
      connection.client.disconnect(true)
    }
  }

  return {
    async subscribe(channel, subscriber) {
      opened ??= open()
      const connection = opened
      await connection
        .run(async (client) => {
          channels.add(channel, subscriber)
          await client.subscribe(prefix + channel)
        })
        .catch((error) => {
          channels.remove(channel, subscriber)
          throw error
        })
      return async () => {
        if (!channels.remove(channel, subscriber)) return
        await connection.run((client) => client.unsubscribe(prefix + channel)).catch(() => {})
      }
    },
    async [Symbol.asyncDispose]() {
      await opened?.[Symbol.asyncDispose]()
    },
  }
}
