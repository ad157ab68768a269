import { z } from 'zod'
import { anyText, list, text, wholeNumber } from './field.ts'
import { isAllowEntry, isHost, isOrigin, isProxyAddress, isWebUrl } from './value-checks.ts'

/** Where the server listens, and how much it takes. */
export const networkSettings = {
  host: text(anyText.refine(isHost), undefined, {
    expected: { en: 'an IP address or a host name', zh: 'IP 地址或主机名' },
    group: 'network',
    about: { en: 'Address to listen on', zh: '监听地址' },
    shownDefault: {
      en: '0.0.0.0; 127.0.0.1 while no API key is configured',
      zh: '0.0.0.0；未配置 API Key 时为 127.0.0.1',
    },
  }),
  port: wholeNumber(0, 65_535, 8000, {
    group: 'network',
    about: { en: 'Port to listen on; 0 takes any free one', zh: '监听端口；0 表示任意空闲端口' },
  }),
  public_url: text(anyText.refine(isWebUrl), undefined, {
    expected: { en: 'an http:// or https:// URL', zh: 'http:// 或 https:// 网址' },
    group: 'network',
    about: {
      en: 'Address under which browsers reach the server, when a proxy stands before it',
      zh: '经反向代理访问时浏览器使用的地址',
    },
    shownDefault: { en: 'where it listens', zh: '监听地址' },
  }),
  cors_origins: list(z.string().refine(isOrigin), {
    expected: {
      en: 'origins such as https://app.example.com separated by commas, or *',
      zh: '以逗号分隔的源（如 https://app.example.com），或 *',
    },
    group: 'network',
    about: {
      en: 'Other origins whose pages may call the API, separated by commas',
      zh: '允许跨域调用 API 的源，逗号分隔',
    },
  }),
  allowed_addresses: list(z.string().refine(isAllowEntry), {
    expected: {
      en: 'addresses, ranges or host names separated by commas, such as 10.0.0.0/8,wiki.corp.example',
      zh: '以逗号分隔的地址、网段或主机名，如 10.0.0.0/8,wiki.corp.example',
    },
    group: 'network',
    about: {
      en: 'Addresses that are not public and that users and agents may reach all the same',
      zh: '允许用户和智能体访问的非公网地址',
    },
  }),
  max_connections: wholeNumber(1, 1_000_000, 10_000, {
    group: 'network',
    about: {
      en: 'Connections open at once per process; a tenth of them may be WebSockets of one address that have not signed in yet',
      zh: '每个进程的最大并发连接数；其中单个地址尚未登录的 WebSocket 最多占十分之一',
    },
  }),
  body_limit: wholeNumber(1024, 1_073_741_824, 1_048_576, {
    group: 'network',
    about: { en: 'Largest request body in bytes', zh: '请求体上限（字节）' },
  }),
  headers_timeout: wholeNumber(1, 3600, 10, {
    group: 'network',
    about: {
      en: 'Seconds within which request headers must arrive',
      zh: '请求头必须到达的时限（秒）',
    },
  }),
  request_timeout: wholeNumber(1, 3600, 30, {
    group: 'network',
    about: {
      en: 'Seconds within which a whole request must arrive; a file, within which more of it must',
      zh: '整个请求必须到达的时限（秒）；上传文件时为两次数据到达之间的时限',
    },
  }),
  keep_alive_timeout: wholeNumber(1, 3600, 10, {
    group: 'network',
    about: { en: 'Seconds an idle connection is kept open', zh: '空闲连接保留时间（秒）' },
  }),
  max_requests: wholeNumber(1, 1_000_000, 1000, {
    group: 'network',
    about: {
      en: 'Requests under way at once per process; beyond that the answer is 503 with Retry-After',
      zh: '每个进程同时处理的请求上限；超出时返回 503 并带 Retry-After',
    },
  }),
  max_requests_per_user: wholeNumber(1, 1_000_000, 200, {
    group: 'network',
    about: {
      en: 'Requests of one user, or of one address, under way at once per process, half of them such that take long; more for a service that asks for many people with one key',
      zh: '每个进程中单个用户或单个地址同时处理的请求上限，其中耗时请求占一半；用一个密钥代表多人访问的服务需调高',
    },
  }),
  max_loop_delay_ms: wholeNumber(20, 60_000, 500, {
    group: 'network',
    about: {
      en: 'Milliseconds that the event loop may be late; while it is later, requests are answered 503',
      zh: '事件循环允许的延迟（毫秒）；超出期间请求返回 503',
    },
  }),
  tls_cert: text(anyText, undefined, {
    expected: { en: 'a PEM file', zh: 'PEM 文件' },
    group: 'network',
    about: {
      en: 'Certificate for HTTPS with its chain; read again within a minute when the file changes',
      zh: 'HTTPS 证书（含证书链）；文件变化后一分钟内重新读取',
    },
    shownDefault: { en: 'none: plain HTTP', zh: '无：使用 HTTP' },
  }),
  tls_key: text(anyText, undefined, {
    expected: { en: 'a PEM file', zh: 'PEM 文件' },
    group: 'network',
    about: { en: 'Private key of that certificate', zh: '该证书的私钥' },
  }),
  trusted_proxies: list(z.string().refine(isProxyAddress), {
    expected: {
      en: 'addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas',
      zh: '以逗号分隔的地址、网段（如 10.0.0.0/8）或 loopback',
    },
    group: 'network',
    about: {
      en: 'Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed; of others they are ignored',
      zh: '可信代理：只采信其 X-Forwarded-For 和 X-Forwarded-Proto，其他来源的一律忽略',
    },
  }),
}
