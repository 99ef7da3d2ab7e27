"""The ways in which a provider fails, each with what must come of it."""

from __future__ import annotations

from dataclasses import dataclass

from fake_provider import DONE, RESET, STALL, Reply, delta, error, event

SECRET = "sk-verysecret0123456789"
HTML = Reply([b"<html><body>Bad gateway</body></html>"], content_type="text/html")


@dataclass(frozen=True)
class Fault:
    name: str
    reply: Reply
    http: str  # the outcome in the ledger, through openai_http
    hosted: str  # and through litellm, which words some failures its own way
    shows: str  # in what the operator is told
    partial: str = ""  # text that was shown and no longer counts

    @property
    def deadline(self) -> dict[str, float]:
        return {"stall before": {"first_token_s": 0.5}, "stall within": {"between_tokens_s": 0.5}}.get(
            self.name, {}
        )


FAULTS = [
    Fault("401", error(401, f"Incorrect API key provided: {SECRET}"), "auth", "auth", "[key]"),
    Fault("402", error(402, "out of credit"), "auth", "auth", "credit"),
    Fault("403", error(403, "not for you"), "auth", "auth", "not for you"),
    Fault("429 seconds", error(429, "slow down", Retry_After="7"), "rate", "rate", "slow down"),
    Fault("429 milliseconds", error(429, "slow down", Retry_After_Ms="1500"), "rate", "rate", "slow down"),
    Fault("429 date", error(429, "slow down", Retry_After="Wed, 04 Mar 2026 10:00:30 GMT",
                            Date="Wed, 04 Mar 2026 10:00:00 GMT"), "rate", "rate", "slow down"),
    Fault("500", error(500, "out of order"), "server", "server", "out of order"),
    Fault("overflow", error(400, "maximum context length is 10"), "overflow", "overflow", "context"),
    Fault("web page", HTML, "protocol", "protocol", ""),
    Fault("no choices", Reply([event({"choices": []}), DONE]), "protocol", "protocol", ""),
    Fault("reset at once", Reply([RESET]), "protocol", "server", ""),
    Fault("reset in the stream", Reply([delta("One "), RESET]), "protocol", "protocol", "", "One "),
    Fault("end without an end", Reply([delta("One "), delta("two")]), "protocol", "protocol", "", "One two"),
    Fault("error event", Reply([delta("One "), event({"error": {"message": "overloaded"}})]),
          "server", "protocol", "overloaded", "One "),
    Fault("stall before", Reply([STALL]), "timeout", "timeout", ""),
    Fault("stall within", Reply([delta("One "), STALL]), "timeout", "timeout", "", "One "),
    Fault("bad JSON", Reply([delta("One "), b"data: {nope\n\n"]), "protocol", "protocol", "", "One "),
    Fault("wrong form", Reply([event({"choices": "none"}), DONE]), "protocol", "protocol", ""),
    Fault("wrong model", error(404, "no such model"), "unusable", "unusable", "no such model"),
    Fault("redirect", Reply([], status=302, headers={"Location": "http://127.0.0.1:9/"}),
          "protocol", "protocol", ""),
]  # fmt: skip
