CREATE TABLE "_metadata" (
    "key" text NOT NULL,
    "value" text,
    CONSTRAINT "_pk__metadata" PRIMARY KEY ("key")
);
CREATE TABLE "_sequence" (
    "name" text NOT NULL,
    "next" bigint NOT NULL,
    CONSTRAINT "_pk__sequence" PRIMARY KEY ("name")
);
CREATE TABLE "_migration" (
    "id" bigint NOT NULL,
    "source" text,
    "destination" text,
    "checksum" text,
    "started" double precision,
    "finished" double precision,
    CONSTRAINT "_pk__migration" PRIMARY KEY ("id")
);
CREATE TABLE "Person" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "_entity" text NOT NULL,
    "name" text,
    "age" bigint,
    "style" text,
    CONSTRAINT "_pk_Person" PRIMARY KEY ("_id")
);
CREATE TABLE "Book" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "title" text,
    "year" bigint,
    "author" bigint,
    CONSTRAINT "_pk_Book" PRIMARY KEY ("_id")
);
CREATE TABLE "Tag" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "name" text,
    CONSTRAINT "_pk_Tag" PRIMARY KEY ("_id")
);
CREATE TABLE "Chapter" (
    "_id" bigint NOT NULL,
    "_version" bigint NOT NULL,
    "title" text,
    "book" bigint,
    "_order_book" bigint,
    CONSTRAINT "_pk_Chapter" PRIMARY KEY ("_id")
);
CREATE TABLE "Book_tags" (
    "source" bigint NOT NULL,
    "destination" bigint NOT NULL,
    CONSTRAINT "_pk_Book_tags" PRIMARY KEY ("source", "destination")
);
CREATE TABLE "_save" (
    "id" bigint NOT NULL DEFAULT unique_rowid(),
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "at" double precision NOT NULL,
    "author" text,
    "context" text,
    "changes" text,
    CONSTRAINT "_pk__save" PRIMARY KEY ("origin", "number")
);
CREATE INDEX "_save_id" ON "_save" ("id");
CREATE TABLE "_save_part" (
    "origin" bigint NOT NULL,
    "number" bigint NOT NULL,
    "part" bigint NOT NULL,
    "changes" text NOT NULL,
    CONSTRAINT "_pk__save_part" PRIMARY KEY ("origin", "number", "part"),
    FOREIGN KEY ("origin", "number") REFERENCES "_save" ("origin", "number") ON DELETE CASCADE
);
CREATE UNIQUE INDEX "Person_name" ON "Person" ("name");
CREATE INDEX "Book_author" ON "Book" ("author");
CREATE INDEX "Chapter_book" ON "Chapter" ("book");
CREATE INDEX "Book_tags_destination" ON "Book_tags" ("destination");
