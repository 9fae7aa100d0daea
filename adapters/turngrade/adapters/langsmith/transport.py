"""Requests to LangSmith: one at a time, told apart by what came back, paced and retried within bounds.

The client of the SDK does the talking, so that its address, workspace and credentials apply. Its own retries
do not: they neither bound the wait that a server asks for nor look whether a lost answer was a lost request.
"""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import requests
    from langsmith import Client

Method: TypeAlias = Literal["GET", "POST", "PATCH"]

TRANSIENT = frozenset({408, 425, 429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""

_HELP = {
    401: "the API key is missing or refused; set LANGSMITH_API_KEY",
    403: "the API key has no right to this; check LANGSMITH_API_KEY and LANGSMITH_WORKSPACE_ID",
    404: "not found",
    429: "the rate limit is exceeded",
}


class LangSmithRequestFailed(RuntimeError):
    """LangSmith could not be asked, or refused. Its text never holds credentials.

    Args:
        what: What was asked: method and path.
        status: The HTTP status; None where no answer came.
        detail: What went wrong.
    """

    def __init__(self, what: str, status: int | None, detail: str) -> None:
        super().__init__(what, status, detail)
        self.what = what
        self.status = status
        self.detail = detail

    def __str__(self) -> str:
        status = "" if self.status is None else f"status {self.status}: "
        return f"{self.what}: {status}{self.detail}"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back of one request.

    Args:
        status: The HTTP status; None where no answer came, so that it is open whether the request was done.
        body: The JSON body.
        detail: What went wrong, shortly.
        retry_after: Seconds that the server asks to wait.
    """

    status: int | None
    body: Any = None
    detail: str = ""
    retry_after: float | None = None

    @property
    def ok(self) -> bool:
        """Whether the request was carried out."""
        return self.status is not None and self.status < 400

    @property
    def transient(self) -> bool:
        """Whether another try makes sense."""
        return self.status is None or self.status in TRANSIENT


@dataclass(frozen=True, slots=True)
class Retries:
    """How often, and after which waits, something is tried again.

    Args:
        attempts: Tries in all.
        first_wait: Seconds before the second try; doubled for each further one.
        longest_wait: Bound of every wait, that of a ``Retry-After`` included.
    """

    attempts: int = 6
    first_wait: float = 0.5
    longest_wait: float = 60.0

    def wait(self, attempt: int, retry_after: float | None = None) -> float:
        """Seconds to wait after a failed try, the first of which is number 0."""
        doubled: float = self.first_wait * 2**attempt
        return min(max(doubled, retry_after or 0.0), self.longest_wait)


class Budget(Enum):
    """Requests in ten seconds, by what they are for: within LangSmith's limits for an API key."""

    QUERY_RUNS = 15
    LIST_FEEDBACK = 300
    POST_FEEDBACK = 800
    OTHER = 100


class Pace:
    """At most so many requests in a window of time; shared by threads.

    Args:
        limit: Requests in a window.
        window: Seconds.
    """

    def __init__(self, limit: int, window: float = 10.0) -> None:
        self.limit = limit
        self.window = window
        self._sent: deque[float] = deque(maxlen=limit)
        self._lock = threading.Lock()

    def wait(self, sleep: Callable[[float], None]) -> None:
        """Wait until the next request may go out, and count it."""
        with self._lock:
            now = time.monotonic()
            due = now if len(self._sent) < self.limit else max(now, self._sent[0] + self.window)
            self._sent.append(due)
        if due > now:
            sleep(due - now)


class Server:
    """A LangSmith server, as the tasks of this package ask it.

    Args:
        client: The SDK's client; by default one made from the environment. A client of your own keeps its own
            retries beneath those made here.
        retries: For reading.
        sleep: How to wait.

    Raises:
        ImportError: ``langsmith`` is not installed.
        LangSmithRequestFailed: The environment names no usable server.
    """

    def __init__(
        self,
        client: Client | None = None,
        *,
        retries: Retries | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.client = client if client is not None else _client_from_environment()
        self.retries = retries or Retries()
        self.sleep = sleep
        self._paces = {budget: Pace(budget.value) for budget in Budget}

    def keep_pace(self, budget: Budget) -> None:
        """Wait until the next request of a kind may go out."""
        self._paces[budget].wait(self.sleep)

    def send(self, method: Method, path: str, **request: Any) -> Answer:
        """Make one request, once.

        Args:
            method: The HTTP method.
            path: Path under the API's address.
            request: ``params``, ``data`` or ``files``, as the ``requests`` library takes them.
        """
        import requests
        from langsmith.utils import LangSmithError

        answers: list[requests.Response] = []
        keep = {"response": lambda response, *_args, **_kwargs: answers.append(response)}
        try:
            self.client.request_with_retries(method, path, stop_after_attempt=1, hooks=keep, **request)
        except (LangSmithError, requests.RequestException) as error:
            if not answers:  # the error's own text may show a part of the API key
                return Answer(None, detail=_why_no_answer(error))
        return _answer(answers[-1], self.client.api_key)

    def send_json(self, method: Method, path: str, body: Any) -> Answer:
        """Make one request with a JSON body, once."""
        return self.send(method, path, data=json.dumps(body).encode())

    def read(
        self,
        method: Method,
        path: str,
        *,
        body: Any = None,
        params: Any = None,
        budget: Budget = Budget.OTHER,
    ) -> Any:
        """Ask something that changes nothing, again after transient failures.

        Args:
            method: The HTTP method.
            path: Path under the API's address.
            body: JSON body.
            params: Query parameters.
            budget: The rate limit that the request falls under.

        Returns:
            The JSON body of the answer.

        Raises:
            LangSmithRequestFailed: Refused, or still failing after the last try.
        """
        request = {"params": params} if body is None else {"data": json.dumps(body).encode()}
        for attempt in itertools.count():
            self.keep_pace(budget)
            answer = self.send(method, path, **request)
            if answer.ok:
                return answer.body
            if not answer.transient or attempt + 1 >= self.retries.attempts:
                raise LangSmithRequestFailed(f"{method} {path}", answer.status, answer.detail)
            self.sleep(self.retries.wait(attempt, answer.retry_after))


def _client_from_environment() -> Client:
    try:
        from langsmith import Client
        from langsmith.utils import LangSmithError
        from urllib3.util import Retry
    except ImportError as error:
        raise ImportError("LangSmith projects need langsmith: pip install 'turngrade[langsmith]'") from error
    once = Retry(total=0, respect_retry_after_header=False, raise_on_status=False)
    try:
        client = Client(retry_config=once, auto_batch_tracing=False, timeout_ms=(10_000, 60_000))
    except LangSmithError as error:
        raise LangSmithRequestFailed("LangSmith", None, str(error)) from None
    if not client.api_url.startswith(("http://", "https://")):
        detail = f"must start with https:// or http://, not {client.api_url!r}"
        raise LangSmithRequestFailed("LANGSMITH_ENDPOINT", None, detail)
    return client


def _answer(response: requests.Response, secret: str | None) -> Answer:
    try:
        body = response.json()
    except ValueError:
        body = None
    status = int(response.status_code)
    if status < 400:
        return Answer(status, body)
    detail = _why_refused(status, body)
    if secret:
        detail = detail.replace(secret, "***")
    return Answer(status, body, detail, _seconds(response.headers.get("Retry-After")))


def _why_refused(status: int, body: Any) -> str:
    detail = body.get("detail") or body.get("error") if isinstance(body, dict) else None
    told = "" if detail is None else (detail if isinstance(detail, str) else json.dumps(detail))[:300]
    return ": ".join(part for part in (_HELP.get(status, ""), told) if part) or "refused"


def _why_no_answer(error: Exception) -> str:
    name = type(error.__cause__ or error).__name__
    return (
        "the server did not answer in time" if "Timeout" in name else "the connection failed or was dropped"
    )


def _seconds(header: str | None) -> float | None:
    """A ``Retry-After`` header in seconds: a number, or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
