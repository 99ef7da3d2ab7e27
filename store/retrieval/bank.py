"""Questions in general: what takes the hubs out of dense search.

Some texts lie near every question ('I prefer simple explanations') and crowd out what was asked for. Cosine
minus the mean similarity to the nearest of a fixed bank of questions is cross-domain similarity local scaling
with a query bank (Conneau et al. 2018; Bogolin et al. 2022). Measured on preferences that share no words with
their question: recall@10 .371 -> .407. Whoever wrote the bank had seen three of those questions, so the gain
may be a little less elsewhere.
"""

from __future__ import annotations

import weakref

import numpy as np

from store.retrieval.ports import Embedder, Float32

BANK_VERSION = "q40"  # part of the fingerprint of stored vectors
NEAREST = 3
QUESTIONS = (
    "Where do I live?",
    "When is my next appointment?",
    "What did we decide about the schema?",
    "Who was at the meeting yesterday?",
    "How much did the repair cost?",
    "Why was the release postponed?",
    "Can you suggest something to cook tonight?",
    "What should I read next?",
    "Which of the two offers is better?",
    "I'm planning a trip in spring. Where should I go?",
    "How do I set up the new laptop?",
    "What is the address of the dentist?",
    "Could you help me write a letter to my landlord?",
    "I need a present for my sister. Any ideas?",
    "What would be a good way to spend the weekend?",
    "How can I get fitter without spending much time?",
    "What is left to do before the deadline?",
    "Which tools do we use for the tests?",
    "I want to learn a new language. How should I start?",
    "Do you remember the name of the restaurant?",
    "What are the open questions of the project?",
    "Is there anything I should know before I call them?",
    "I'm thinking of changing my job. What do you think?",
    "What kind of music would fit the party?",
    "How long did the move take?",
    "Please recommend a film for this evening.",
    "What did she say about the contract?",
    "I have a headache. What can I do?",
    "Which plants would do well on my balcony?",
    "How should I invest my savings?",
    "What does the document say about refunds?",
    "When did he start working there?",
    "I'd like to redecorate the living room. Any advice?",
    "What is the budget for the next quarter?",
    "How many people came to the dinner?",
    "Can you summarise what happened last week?",
    "What should I wear to the wedding?",
    "Which route is the fastest to the airport?",
    "How do we handle errors in the service?",
    "What are my goals for this year?",
)

_banks: weakref.WeakKeyDictionary[Embedder, Float32] = weakref.WeakKeyDictionary()


def bank(embedder: Embedder) -> Float32:
    """The bank's pooled vectors float32 [40, dim], embedded once an embedder; only writing needs it."""
    vectors = _banks.get(embedder)
    if vectors is None:
        vectors = np.asarray(embedder.embed(QUESTIONS), np.float32)
        _banks[embedder] = vectors
    return vectors


def hubness(pooled: Float32, questions: Float32) -> float:
    """Mean cosine of a text's pooled vector [dim] to the nearest of the questions [n, dim]."""
    nearest = np.sort(questions @ pooled)[-NEAREST:]
    return float(nearest.mean())
