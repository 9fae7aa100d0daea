"""A support agent on a script: what customers ask, and what the agent says. No model is called."""

from __future__ import annotations

from dataclasses import dataclass

ORDER = "ORD-20481937"


@dataclass(frozen=True)
class Conversation:
    """One customer's question and the agent's turns.

    Args:
        name: The sample's id in Inspect, the metadata field ``conversation`` in LangSmith.
        question: What the customer asks.
        turns: What the agent says. Each turn but the last also looks the order up; an empty one only that.
    """

    name: str
    question: str
    turns: tuple[str, ...]


CONVERSATIONS = (
    Conversation(
        "order-found",
        f"Where is my order {ORDER}?",
        ("", f"Your order {ORDER} left our warehouse on Monday and arrives tomorrow."),
    ),
    Conversation(
        "refund-promised",
        f"My order {ORDER} came broken. I want my money back.",
        (
            "I'm sorry to hear that! I promise you a full refund today.",
            f"I looked it up: our returns team decides about order {ORDER}, within two days.",
        ),
    ),
    Conversation(
        "card-repeated",
        f"Which card did I pay {ORDER} with? And where does the bill go?",
        (
            "Let me see which card that was.",
            f"Order {ORDER} was paid with 4111 1111 1111 1111. The bill goes to jane.doe@mail.example.org.",
        ),
    ),
    Conversation(
        "refused",
        "Can you change the address of my order 2048?",
        ("Thank you for asking.\nI'm sorry, but I can't change ORD-2048. Write to help@shop.example.",),
    ),
)


def next_turn(question: str, turns_so_far: int) -> tuple[str, bool]:
    """The agent's next turn.

    Args:
        question: The customer's question, which tells the conversation.
        turns_so_far: How many turns the agent has said already.

    Returns:
        The turn's text, and whether the agent calls ``look_up_order`` in it.
    """
    turns = next(c.turns for c in CONVERSATIONS if c.question == question)
    return turns[turns_so_far], turns_so_far < len(turns) - 1


def order_status(order_id: str) -> str:
    """What the shop's system knows of an order."""
    return f"{order_id}: shipped on Monday"
